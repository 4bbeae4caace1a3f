package learn

// HoldOut is what models say of rows that were held back from them.
type HoldOut struct {
	Rows   []int32   // frame rows that were held back, ascending and distinct
	Width  int       // values in a prediction
	Values []float64 // Width values for each of Rows
}
