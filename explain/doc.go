// Package explain owns the explanation of models, in words and numbers: the importances of
// features, and Shapley values of predictions. It owns proximities of rows by the leaves that they
// have in common, and rows that are outliers in their class. It owns the effects of columns on
// predictions: partial dependence, accumulated local effects and Friedman's H. It also owns the
// smallest changes of rows that turn a prediction, proofs that a model is monotone in a feature,
// and tables for global surrogates.
//
// Tables may be as they were read: dates and texts need not be expanded (data.Expand). Results that
// have a sign name the classes that they point towards; of two classes with one raw score it is the
// positive one.
package explain
