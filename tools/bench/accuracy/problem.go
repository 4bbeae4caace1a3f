//go:build linux

package accuracy

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
)

// problem is a table with the rounds in which all sides are trained and tested, and the folder
// where peers find both.
type problem struct {
	*data.Dataset
	name   string
	rounds []round
	folder string
	digest string // of all that is in the folder
}

// newProblem writes a table and its rounds (round after round, a byte for each row) for the peers.
func (b *bench) newProblem(name string, ds *data.Dataset, rounds []round) (*problem, error) {
	p := &problem{Dataset: ds, name: name, rounds: rounds,
		folder: filepath.Join(b.Scratch, strings.ReplaceAll(strings.ReplaceAll(name, "/", "-"), " ", "-"))}
	if err := exchange.Write(p.folder, ds, data.AllRows(ds.Rows())); err != nil {
		return nil, err
	}
	var bytes []byte
	for _, r := range rounds {
		for _, v := range r {
			bytes = append(bytes, byte(v))
		}
	}
	if err := os.WriteFile(filepath.Join(p.folder, "rounds.i8"), bytes, 0o644); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(p.folder, "*"))
	if err != nil {
		return nil, err
	}
	hash := sha256.New()
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		_, err = io.Copy(hash, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
	p.digest = fmt.Sprintf("%x", hash.Sum(nil))
	return p, nil
}

// width is the number of predictions for a row: class probabilities, or a number.
func (p *problem) width() int { return max(1, p.Target.NumClasses()) }
