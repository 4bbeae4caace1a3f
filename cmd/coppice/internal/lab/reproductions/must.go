package reproductions

// failure is the error of a step that ends a run.
type failure struct{ error }

// must returns the value of a step. A run is written from top to bottom without a look at errors:
// one that occurs ends it, and Reproduction.Run returns it.
func must[T any](v T, err error) T {
	check(err)
	return v
}

func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// failed makes the failure of a step the error of a run.
func failed(err *error) {
	switch p := recover().(type) {
	case nil:
	case failure:
		*err = p.error
	default:
		panic(p)
	}
}
