package codectest

import "testing"

// Members that count days from other dates are no trees of one table.
func TestDatedCommitteeStays(t *testing.T) {
	if _, flat := DatedCommittee().Flatten(); flat {
		t.Error("a committee whose members count days from other dates became one ensemble")
	}
	c := DatedCommittee()
	c.Members[1] = Dated()
	if _, flat := c.Flatten(); !flat {
		t.Error("members that count days from one origin were not flattened")
	}
}
