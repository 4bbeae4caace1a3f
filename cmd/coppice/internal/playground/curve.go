package playground

import "context"

// curveOf trains a method on points of a curve.
func curveOf(ctx context.Context, h *Handler, q *trainRequest) (*trained, error) {
	return h.trained(ctx, q, false)
}
