package data

// Spellings returns the ways in which tools write a truth value, that of the text among them: what
// is false in JSON is False in Python and FALSE in R. Other texts have none. A column of a model
// whose levels are truth values takes all of them, unless two are levels.
func Spellings(text string) []string {
	switch text {
	case "false", "False", "FALSE":
		return []string{"false", "False", "FALSE"}
	case "true", "True", "TRUE":
		return []string{"true", "True", "TRUE"}
	}
	return nil
}
