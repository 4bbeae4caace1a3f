// Package tune owns the search for good parameters of learners: spaces, samplers, trials on folds,
// and studies, which are files of trials that survive a killed process and may have several.
//
//	space ---> sampler ---> settings ---> trial: a training and a test for each fold
//	             ^                                            |
//	             +--------------------- study <---------------+
//
// What is searched is declared with the parameters: param.Search. A parameter that the caller set
// is not searched. The first trial has the defaults, so the best of a study is no worse than they
// are, by the tests of the study. Its estimate is optimistic, because the same tests chose it.
//
// A study that is limited by a number of trials has the same trials for any number of workers and
// of processes. It has them, too, if some of these are killed, and if it is interrupted and goes on
// later: trial n depends on the seed, on n and on the trials before it. With a limit of time the
// trials depend on the clock.
package tune
