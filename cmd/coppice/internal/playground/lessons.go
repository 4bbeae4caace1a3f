package playground

// lesson is what to try in a scene.
type lesson struct {
	Scene     string     `json:"scene"`
	Exercises []exercise `json:"exercises"`
}

// exercise is something to try, a question about it, and the answer. The numbers of an answer are
// what the scene shows, or settings that the exercise names.
type exercise struct {
	Try    string `json:"try"`
	Ask    string `json:"ask"`
	Answer string `json:"answer"`
}

// lessons is the table of lessons: a row for each scene of the page.
func lessons() []lesson {
	return []lesson{
		{"plane", []exercise{
			{"Keep Moons and AdaBoost, go to round 1, then to 60, then set the rounds to 200.",
				"Does the test error rise while AdaBoost goes on after its training error is zero?",
				"The training error falls from 6.7 % to 0.0 % at round 60, and the test error from " +
					"15.5 % to 7.0 %. After 200 rounds it is still 7.0 %, while the least margin has " +
					"grown from 0.13 to 0.18."},
			{"Draw the points from XOR, set AdaBoost to 60 rounds, and try depth 1 and depth 2.",
				"Why do trees of depth 1 fail here, even if many of them vote?",
				"The test error is 48.0 % with depth 1, almost that of a coin, and 6.5 % with depth 2. " +
					"A tree of one split uses one column, but the class depends on both together."},
			{"Draw from Overlapping clouds, choose Tree with depth 1, then with 12, then Pruned tree.",
				"Which of the first two trees is better on new points, and does pruning find it?",
				"The deep tree has a training error of 0.0 %, but a test error of 18.5 %, and the small " +
					"one has 12.5 %. The deep one has leaves for single points, so it overfits the noise. " +
					"The pruned tree has 9 leaves and 14.0 %, which is better but not the best."},
		}},
		{"curve", []exercise{
			{"Keep Wave and Gradient boosting, and go from round 1 to 10, and then to 100.",
				"What happens to the test error, and to what is left over for the next tree?",
				"The test error falls from 0.0610 to 0.0213, and then to 0.0082. Each tree is fitted to " +
					"what those before it leave over, so the residuals become smaller and smaller."},
			{"Keep 100 trees, and compare the learning rates 0.1 and 1 on the same points.",
				"Why is the larger learning rate worse on new points, although it fits better?",
				"With 1 the training error is 0.0000, but the test error is 0.0104 instead of 0.0082. " +
					"It is least after 11 rounds, with 0.0081, and all later ones fit the noise."},
			{"Choose Tree with depth 12, look at its leaves, and then choose Bagging with 60 members.",
				"What does the mean of 60 deep trees gain over a single deep tree?",
				"The tree has 58 leaves for 60 points, a training error of 0.0000, and a test error of " +
					"0.0105. With bagging the test error is 0.0090, because the mean evens out noise."},
		}},
		{"ten-points", []exercise{
			{"Press Next twice from the start, so that you see the weights after round 1.",
				"What weight do the points that the stump got wrong now have together?",
				"Each of the 3 wrong points has 0.17, and each of the 7 others has 0.071. The wrong ones " +
					"together have 0.5, so the stump is now no better than a coin."},
			{"Press Next until the final vote, and count the wrong points of each stump.",
				"How can stumps that are all wrong on some points get all points right together?",
				"Each stump gets 3 points wrong, but no point is wrong for more than 1 of them. Their " +
					"votes are 0.42, 0.65 and 0.92, so any two outvote the third, and the error is 0."},
			{"Set the rounds to 8, and compare the bound at round 3 with that at the end.",
				"What do more rounds change, once the training error is zero after the third?",
				"The bound of the training error falls from 0.516 to 0.12, while the error itself stays " +
					"0. The bound is a product with a factor below one for each stump."},
		}},
		{"impurity", []exercise{
			{"Choose each of the impurities in turn, and press Best threshold after each choice.",
				"Do all of them prefer the same threshold, and can you compare their gains?",
				"All prefer 0.43, where the gains are 0.246 by the Gini index, 0.396 by entropy and " +
					"0.286 by misclassification. Each has a scale of its own, so compare within one only."},
			{"Move the threshold to 0.63, choose Entropy, and after that choose Misclassification.",
				"For which of the two is this split almost as good as the best?",
				"By entropy it gains 0.395, and the best one gains 0.396. The right side has 0 blue and 5 " +
					"orange points, and entropy prefers such pure nodes. By misclassification it gains " +
					"0.214 only, where the best one gains 0.286."},
			{"Move the threshold to 0.85, and choose each of the impurities in turn.",
				"Why does misclassification gain nothing here, although the right side is pure?",
				"The Gini index gains 0.0612 and entropy 0.128, but misclassification gains 0. Before the " +
					"split 6 points are misclassified, and after it there are 6 as well."},
		}},
		{"bias", []exercise{
			{"Keep Tree and 50 points in a training set, and move the depth from 1 to 10.",
				"Which part of the error falls with the depth, which one rises, and what is best?",
				"Bias² falls from 0.0085 to 0.0002, while variance rises from 0.0063 to 0.0183. The " +
					"expected error is least with depth 3, where it is 0.0270 with the noise."},
			{"Set the depth to 3, and compare training sets of 50 points and of 200.",
				"Which part of the error becomes smaller with more points, and which parts remain?",
				"Variance falls from 0.0087 to 0.0041, while bias² is small with both: 0.0005 and " +
					"0.0007. The noise remains at 0.0178, because no model can predict it."},
			{"Set 50 points again, choose Bagging, and compare 1 tree with the mean of 60.",
				"Which part of the error does the mean of many trees make smaller?",
				"Variance falls from 0.0186 to 0.0091, while bias² stays at 0.0003. A mean of trees has " +
					"the bias of a single one, but it depends less on the training set."},
		}},
	}
}
