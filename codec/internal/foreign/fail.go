package foreign

// Most of a reader is steps of which each may find something wrong, and then nothing of the file is
// of use. So steps return no errors: they pass them to Check, which ends the reading. The function
// of codec.Format that called the reader returns the error by Ended.

// failure is an error that ends the reading of a file.
type failure struct{ error }

// Check ends the reading of a file with an error, if there is one.
func Check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// Must returns the value of a step, whose error ends the reading.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}

// Ended is deferred by a function that calls a reader: it makes the error that ended the reading
// that of the function.
func Ended(err *error) {
	switch p := recover().(type) {
	case nil:
	case failure:
		*err = p.error
	default:
		panic(p)
	}
}

// Need takes n bytes, or ends the reading if so many are not left.
func (b *Budget) Need(n int64) { Check(b.Take(n)) }
