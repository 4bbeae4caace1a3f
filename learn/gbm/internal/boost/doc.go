// Package boost trains rounds of gradient boosting. Begin builds the stages of a training, and each
// is a type that owns its state, made from those before it:
//
//	setup         the job: parameters, loss, weights, training set and validation set
//	table.Table   columns in bins, and those derived from categories
//	scores        raw scores of both sets                          strategies: validScores
//	ensemble      the model so far
//	supports      models of the first rows of random orders, for ordered boosting
//	rowSampler    the rows of a round
//	derivatives   first and second derivatives of the loss         stored, rowwise, output
//	grower        the trees of a round                             scalar, vector; leafValues
//	earlierRounds the rounds that a round corrects                 plainRounds, dropout
//	watch         metrics of both sets, early stopping
//
// A round passes values from stage to stage (round.go):
//
//	         raw             g, h            rows          trees            model
//	scores ------> derivatives ---> rowSampler ---> grower -------> ensemble -----> watch
//	  ^                                                |                              |
//	  +------------- leaf values x learning rate ------+            stop, or the next round
//
// Before a round, earlierRounds subtracts the trees of dropped rounds from the scores; after it, it
// adds them again with new weights.
//
// The raw scores start at the best constant of the loss, or at the user's initial scores. The
// grower fits a tree to -g/h for each output, sets the values of its leaves, and adds it to the
// scores times the learning rate. The model is the sum of the trees up to the best round. The
// random numbers of a round depend on the seed and on the round alone, so a training that resumes
// from a checkpoint (checkpoint.go) ends at the same bytes.
package boost
