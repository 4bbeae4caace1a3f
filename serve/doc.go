// Package serve answers HTTP requests with the predictions of models, in any Go server:
//
//	models := serve.NewModels()
//	churn, err := serve.NewModel("churn", m, serve.ModelOptions{})
//	models.Put(churn)
//	http.ListenAndServe("localhost:8080", serve.Handler(models, serve.Options{}))
//
// A model is asked by its own requests, which name the columns of a row, and by those of other
// servers, which clients have already:
//
//	POST /v1/models/churn/predict        rows as JSON, CSV or tables; with reasons and changes
//	POST /v1/models/churn:predict        KServe's first protocol, and :explain
//	POST /v2/models/churn/infer          the Open Inference Protocol, version 2
//	POST /invocations                    Amazon SageMaker and MLflow
//	GET  /v1/models/churn/schema         the JSON Schema of a row
//	GET  /openapi.json                   all of this, as OpenAPI 3.1
//	GET  /livez /readyz /startupz /ping  health, as Kubernetes and SageMaker request it
//
// # Rows
//
// A row has a value for each column of the model, as a table for it would have. In JSON null is a
// missing value, and 0 is a number. A column that a row does not name at all is an error, unless
// Options.Absent says what it means: so a wrong name is never a silent 0. What the schema of the
// model refuses is refused here, and values that training had not are flagged (model.Checks).
//
// Predictions are those of model.Predictor.PredictRow for the values as they were sent, bit for
// bit. Many rows are predicted in blocks, on all processors. HandlerOf answers rows that are
// structs.
//
// # Models
//
// Models is the set of models that a handler serves. Put replaces a model while requests are
// answered: each request keeps the model that it began with. Source loads models from files and
// folders, and loads them again once they changed. A model that does not predict its golden rows,
// or that needs another table than the one before, never replaces it.
//
// The package imports the standard library and other packages of this module alone.
package serve
