// Package rounds owns what training chooses before it boosts: the number of rounds, and the
// settings that were left to it. It assigns rows to folds, and decides by the curves of trainings
// on them:
//
//	rows -> folds -> Race: candidates on the folds -> settings        Race.Run
//	             -> Search: folds in step          -> best round      Search.Run
//
// It does not know how trees are boosted. A race asks for each training by one function, Train: the
// rows of a fold and a configuration go in, and the metric of its best round comes out. So tests of
// its decisions train nothing.
//
// What it decides is a function of the curves and of counted work, never of time. All ranks carry
// different trials out, exchange them, and decide the same.
package rounds
