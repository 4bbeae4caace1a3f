// Package coppice is the entry point of the library: what most programs need, in few calls.
//
// Train a model on structs and predict a struct, by the names of its fields:
//
//	m, err := coppice.TrainStructs(ctx, gbm.New(), customers, data.Label("churn"))
//	p, err := coppice.NewPredictor[Customer](m)
//	y, err := p.Predict(c) // y.Class, y.Probability("yes"), y.Value
//
// Train a model on a file, with early stopping, and evaluate it:
//
//	ds, err := csvdata.ReadDataset(ctx, "adult.csv", data.Label("income"))
//	train, valid, test, err := split.HoldOut{Valid: .15, Test: .2, Seed: 1}.Dataset(ds)
//	m, err := coppice.Train(ctx, gbm.New(), train, coppice.Validation(valid))
//	r, err := eval.Evaluate(ctx, m, test)
//	err = coppice.Save("model.coppice", m)
//
// The package owns Train and its options, Predictor, and Open, OpenMapped and Save of Coppice's own
// model file. The packages below it hold everything else: tables in data, learners in learn,
// prediction of tables in model, evaluation in eval, and the models of other tools in
// codec/formats.
//
// Importing coppice compiles no reader of files and no learner.
package coppice
