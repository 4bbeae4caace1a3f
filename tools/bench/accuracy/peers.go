//go:build linux

package main

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

//go:embed peers.py
var peersPython string

//go:embed budget.py
var budgetPython string

//go:embed peers.R
var peersR string

// programs are the texts of the peers' programs by file.
func programs() map[string]string {
	return map[string]string{"peers.py": exchange.Python + peersPython,
		"peers.R": exchange.R + peersR, "budget.py": exchange.Python + budgetPython}
}

// peer returns the predictions of a peer for the test rows of all rounds, from the cache if it has
// them.
func (b *bench) peer(ctx context.Context, p peer, t *problem, trees, node int) ([]float64, error) {
	arguments := []string{p.method, p.coding, fmt.Sprint(trees),
		fmt.Sprint(mtry(p.columns(t.Dataset), t.Target.Task)), fmt.Sprint(node), fmt.Sprint(b.seed)}
	key := sha256.New()
	fmt.Fprint(key, t.digest, programs()[p.program], arguments)
	path := filepath.Join(b.cache, fmt.Sprintf("%s-%s-%x.f64", filepath.Base(t.folder), p,
		key.Sum(nil)[:8]))
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		if err := b.request(ctx, p, t, path, arguments); err != nil {
			return nil, err
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return exchange.ReadNumbers(f, t.predictions())
}

// request runs a peer and puts what it predicts into the cache.
func (b *bench) request(
	ctx context.Context, p peer, t *problem, path string, arguments []string,
) error {
	interpreter := b.python
	if p.program == "peers.R" {
		interpreter = b.r
	}
	command := append([]string{interpreter, filepath.Join(b.dir, p.program), t.folder,
		path + ".part"}, arguments...)
	r, err := pairs.Side{Name: p.String(), Command: append(command, fmt.Sprint(b.threads))}.Run(ctx,
		b.threads)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s: %s %s took %.1f s\n", t.name, r.Version, p, r.Seconds)
	return os.Rename(path+".part", path)
}
