package learn

import "errors"

// Stop is what Job.Observe returns to end a training without an error: Fit returns the model so
// far, and nil.
//
//   - Learners that train in rounds, epochs, steps or members return what they have so far: of
//     several members those that are trained, of an SVM of several classes one that never predicts
//     the classes whose problem is not solved yet.
//   - While a stage works on hold-out rows, Stop ends that stage with what it has so far, and the
//     rest of the training continues without the observer: gbm takes the best number of rounds so
//     far and trains them on all rows, calibrate fits its calibrators to the folds so far, a stack
//     weighs its members alike, cart does not prune.
//
// A training that must end at once is cancelled by its context: what there is of a model then is
// returned with the context's error.
//
//lint:ignore ST1012 Stop is no fault: it is returned to end a training that went well
var Stop = errors.New("the observer stopped the training")
