package formats_test

import (
	"fmt"
	"log"
	"sync"
	"sync/atomic"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/model"
)

// service predicts with a model that may be replaced at any time.
type service struct {
	current atomic.Pointer[model.Predictor]
}

// load opens a model of any format, and replaces the one in use. Calls that have begun end with the
// model that they began with.
func (s *service) load(path string) error {
	m, _, err := formats.Open(path, codec.Limits{})
	if err != nil {
		return err // the model in use stays
	}
	p, err := m.Bind(&m.Spec().Schema, model.Options{Output: model.Raw})
	if err != nil {
		return err
	}
	s.current.Store(&p)
	return nil
}

// predict may be called concurrently. It allocates nothing.
func (s *service) predict(dst, row []float64) error {
	return (*s.current.Load()).PredictRow(dst, row)
}

// A service opens a model at its start, predicts concurrently, and swaps the model atomically.
func Example_service() {
	s := &service{}
	if err := s.load("../../testdata/models/lightgbm/lg_1tree.json"); err != nil {
		log.Fatal(err)
	}
	var requests sync.WaitGroup
	scores := make([]float64, 4)
	for i := range scores {
		requests.Go(func() {
			if err := s.predict(scores[i:i+1], []float64{float64(i), 0}); err != nil {
				log.Print(err)
			}
		})
	}
	requests.Wait()
	fmt.Println(scores)
	if err := s.load("no such model"); err != nil {
		fmt.Println("the model in use stays")
	}
	// Output:
	// [0.4242 1.1111 1.1111 1.1111]
	// the model in use stays
}
