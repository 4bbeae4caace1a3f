//go:build linux

package accuracy

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// cell is what one side does in one round of one set.
type cell struct {
	score
	CPU    float64 `json:"cpu_seconds"`
	Detail string  `json:"detail,omitempty"`
}

// scores counts the changes of what a score holds, so that a cell without it is computed again.
const scores = 2

// path returns the file of a cell.
func (b *bench) path(p *problem, round int, s *side) string {
	key := sha256.Sum256([]byte(fmt.Sprint(scores, p.digest, round, s.text, b.seed, b.Threads)))
	return filepath.Join(b.Dir, fmt.Sprintf("%s-%d-%x.json", filepath.Base(p.folder), round, key[:8]))
}

// read returns a cell; nil: it is not there.
func (b *bench) read(p *problem, round int, s *side) *cell {
	bytes, err := os.ReadFile(b.path(p, round, s))
	var c cell
	if err != nil || json.Unmarshal(bytes, &c) != nil {
		return nil
	}
	return &c
}

// compute computes a cell, unless it is there.
func (b *bench) compute(ctx context.Context, p *problem, round int, s *side) error {
	if b.read(p, round, s) != nil {
		return nil
	}
	limit := 0.0
	if s.times > 0 {
		first := b.read(p, round, &b.sides[0])
		if first == nil {
			return errors.New("the first side has no time that this one's could be a multiple of")
		}
		limit = s.times * first.CPU
	}
	found, err := b.do(ctx, p, round, s, limit)
	if err != nil {
		return err
	}
	c := cell{CPU: found.cpu, Detail: found.detail}
	if c.score, err = p.score(p.rounds[round].rows(forTest), found.predictions); err != nil {
		return err
	}
	return b.write(p, round, s, c)
}

// write writes a cell, whole or not at all.
func (b *bench) write(p *problem, round int, s *side, c cell) error {
	bytes, err := json.Marshal(c)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s %d, %s: %s\n", p.name, round, s.text, bytes)
	path := b.path(p, round, s)
	if err := os.WriteFile(path+".part", append(bytes, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}
