# The application of FastAPI that the case serving loads: one row, its reasons, or many rows. The
# model and the names of its columns are beside this file. XGBoost predicts a row in place, which
# is faster than by a DMatrix; contributions need one.
import json, os
import numpy, xgboost
from fastapi import FastAPI, Request

here = os.path.dirname(os.path.abspath(__file__))
names = json.load(open(os.path.join(here, "names.json")))
booster = xgboost.Booster({"nthread": 1})
booster.load_model(os.path.join(here, "model.ubj"))
booster.set_param({"nthread": 1})
booster.feature_names = None
app = FastAPI()

def matrix(rows):
    return numpy.array([[row[name] for name in names] for row in rows], dtype="float32")

@app.post("/row")
async def row(request: Request):
    return {"probability": float(booster.inplace_predict(matrix([await request.json()]))[0])}

@app.post("/reasons")
async def reasons(request: Request):
    x = matrix([await request.json()])
    effects = booster.predict(xgboost.DMatrix(x, nthread=1), pred_contribs=True)[0, :-1]
    top = numpy.argsort(-numpy.abs(effects))[:5]
    return {"probability": float(booster.inplace_predict(x)[0]),
        "reasons": [{"column": names[i], "value": str(x[0, i]), "effect": float(effects[i])} for i in top]}

@app.post("/thousand")
async def thousand(request: Request):
    return {"probabilities": booster.inplace_predict(matrix(await request.json())).tolist()}
