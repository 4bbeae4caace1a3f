package criterion

// LabelError reports that a criterion cannot work on the labels.
type LabelError struct {
	At     int // index of the label that is at fault; -1: all together
	Reason string
}

func (e *LabelError) Error() string { return e.Reason }
