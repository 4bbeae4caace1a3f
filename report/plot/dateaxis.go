package plot

import (
	"math"
	"time"
)

// dateSteps are the distances of ticks on an axis of dates: days, then months.
var dateSteps = []struct{ days, months int }{{days: 1}, {days: 2}, {days: 7}, {days: 14}, {months: 1},
	{months: 2}, {months: 3}, {months: 6}, {months: 12}, {months: 24}, {months: 60}, {months: 120}}

const (
	secondsOfDay = 86400
	daysOfMonth  = 30.4
	mostDays     = 3.6e6 // beyond it years have more than four digits
)

// markDates gives an axis of days since 1970 at most so many ticks at the beginnings of months, or
// at days where it spans few.
func (a *axis) markDates(most int) {
	if !(math.Abs(a.low) < mostDays && math.Abs(a.high) < mostDays) {
		a.mark(most)
		return
	}
	most = max(2, most)
	step := dateSteps[len(dateSteps)-1]
	for _, s := range dateSteps {
		if float64(s.days)+float64(float64(s.months)*daysOfMonth) >= (a.high-a.low)/float64(most) {
			step = s
			break
		}
	}
	day := time.Unix(int64(math.Ceil(a.low))*secondsOfDay, 0).UTC()
	layout := time.DateOnly
	if step.months > 0 {
		layout = "2006-01"
		month := (int(day.Month()) - 1) / min(step.months, 12) * min(step.months, 12)
		years := max(1, step.months/12)
		day = time.Date(day.Year()/years*years, time.Month(1+month), 1, 0, 0, 0, 0, time.UTC)
	}
	if step.months >= 12 {
		layout = "2006"
	}
	for ; float64(day.Unix())/secondsOfDay <= a.high; day = day.AddDate(0, step.months, step.days) {
		if at := float64(day.Unix()) / secondsOfDay; at >= a.low {
			a.ticks = append(a.ticks, tick{at, day.Format(layout)})
		}
	}
	if len(a.ticks) == 0 {
		a.ticks = []tick{{a.low, dateOf(a.low)}}
	}
}

func dateOf(days float64) string {
	return time.Unix(int64(math.Floor(days))*secondsOfDay, 0).UTC().Format(time.DateOnly)
}
