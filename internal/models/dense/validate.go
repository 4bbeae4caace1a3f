package dense

import (
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/data"
)

// Validate checks that the encoding fits a schema, that places are in range, and that all numbers
// are finite.
func (e *Encoding) Validate(s *data.Schema) error {
	last := int32(-1)
	for i := range e.Columns {
		c := &e.Columns[i]
		if c.Field <= last || int(c.Field) >= len(s.Fields) {
			return fmt.Errorf("encoded column %d is field %d of %d, after field %d", i, c.Field,
				len(s.Fields), last)
		}
		last = c.Field
		check := c.validateCodes
		if s.Fields[c.Field].Kind == data.Numeric {
			check = c.validateNumbers
		}
		if err := check(&s.Fields[c.Field]); err != nil {
			return fmt.Errorf("encoded column %q: %w", s.Fields[c.Field].Name, err)
		}
	}
	return nil
}

func (c *Column) validateNumbers(*data.Field) error {
	switch {
	case !finite(c.Mean, c.Scale, c.Low, c.High) || !(c.Scale > 0) ||
		!(c.Low <= c.Mean && c.Mean <= c.High):
		return fmt.Errorf("mean %g, deviation %g, from %g to %g", c.Mean, c.Scale, c.Low, c.High)
	case len(c.Place) > 0 || len(c.Fraction) > 0 || c.Missing != -1 || c.Unseen != -1:
		return errors.New("a numeric column with places of categories")
	}
	return nil
}

func (c *Column) validateCodes(field *data.Field) error {
	n := int32(len(c.Fraction))
	switch {
	case c.Mean != 0 || c.Scale != 0 || c.Low != 0 || c.High != 0:
		return errors.New("a categorical column with a mean or a deviation")
	case len(c.Place) != len(field.Levels):
		return fmt.Errorf("places of %d categories for a dictionary of %d", len(c.Place),
			len(field.Levels))
	case n < 2 || n > maxCategories+2:
		return fmt.Errorf("%d places", n)
	case c.Missing < -1 || c.Missing >= n || c.Unseen < -1 || c.Unseen >= n:
		return fmt.Errorf("places %d and %d of %d", c.Missing, c.Unseen, n)
	}
	for code, place := range c.Place {
		if place < -1 || place >= n {
			return fmt.Errorf("category %d has place %d of %d", code, place, n)
		}
	}
	for _, w := range c.Fraction {
		if !(w >= 0 && w <= 1) {
			return fmt.Errorf("a fraction of %g", w)
		}
	}
	return nil
}
