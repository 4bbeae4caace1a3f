package loss

// Unset is a loss whose parameters have no values.
var Unset Loss = &huberLoss{}
