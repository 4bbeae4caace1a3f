package param

// WithDefaults sets all parameters of a new value to their defaults and returns it. Constructors of
// learners end with it:
//
//	func New() *Learner { return param.WithDefaults(&Learner{}) }
func WithDefaults[T interface{ Params() Set }](v T) T {
	v.Params().Reset()
	return v
}
