package spelling

import "bytes"

// Truths returns the ways in which tools write a truth value, that of the text among them: what
// is false in JSON is False in Python and FALSE in R. Other texts have none. A column of a model
// whose levels are truth values takes all of them, unless two are levels.
func Truths(text string) []string {
	switch text {
	case "false", "False", "FALSE":
		return []string{"false", "False", "FALSE"}
	case "true", "True", "TRUE":
		return []string{"true", "True", "TRUE"}
	}
	return nil
}

// TruthNumber returns 1 for true and 0 for false, in any letter case and without blanks around it;
// ok is false for other texts. Tools write the numbers of a truth value so: a column of pandas that
// has a missing value holds True and False in place of 1 and 0.
func TruthNumber(text []byte) (v float64, ok bool) {
	switch {
	case len(text) == len("true") && bytes.EqualFold(text, []byte("true")):
		return 1, true
	case len(text) == len("false") && bytes.EqualFold(text, []byte("false")):
		return 0, true
	}
	return 0, false
}
