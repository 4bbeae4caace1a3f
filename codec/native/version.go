package native

import "fmt"

// Version is a version of the file format: the major number in the high 16 bits, the minor in the
// low. The list below is a ledger: versions are never renumbered, and a program reads all that are
// listed.
//
// A file of a newer major version is refused as unsupported. A newer minor version may add
// sections, arrays and keys of the JSON header; a reader skips those that are optional and refuses,
// as unsupported, those marked as required.
type Version uint32

const (
	// version1 is the first version: sections header, texts and trees; trees of numeric splits,
	// category sets, a child per category, oblique and sphere splits; all rules for missing values,
	// with fractions and surrogate splits; scalar, vector and count leaves, and scalar ones with
	// their training values or with equations; sums and means of trees, and pools of their training
	// values; columns derived from categories: section inputs; training covers: section covers;
	// leaf numbers of other tools: section origin. Lists of rules: section rules. Committees:
	// section members. Linear models: section linear. Naive Bayes: section bayes.
	version1 Version = 1 << 16

	// version1_1 adds keys of the header: the columns that had a role beside the label in
	// training (roles), what features of LibSVM files count from (schema.first_index), and texts
	// that mean a missing value in one column (schema.missing_tokens_of). Of
	// models of other tools it adds the tool's objective (tool_objective), and how the tool stores
	// categories (tool_categories), what else its file states (tool_settings), and that
	// categories are numbers (numbers). Programs of version 1.0 skip them, and predict the same
	// but for texts of such numbers. The section of leaves without a prediction (refused) is
	// required: programs of version 1.0 refuse files that have it. They skip those of
	// the profile of the training rows (profile), of metrics and notes (report), of the time
	// (stamp), and of golden rows (golden).
	version1_1 Version = 1<<16 + 1

	// version1_2 adds sets of categories that are stored by the codes in them (tree.codes,
	// set.code). Programs of earlier versions refuse files that have such sets. Large sets of few
	// codes alone are stored so, by models that are no members of others.
	version1_2 Version = 1<<16 + 2

	// Latest is the latest version. Encode writes the least one that has what a model holds, so
	// that the file of a model without additions stays what it was.
	Latest = version1_2
)

// major returns the number whose change makes files unreadable for older programs.
func (v Version) major() int { return int(v >> 16) }

// minor returns the number that counts additions within a major version.
func (v Version) minor() int { return int(v & 0xffff) }

// String returns e.g. "1.0".
func (v Version) String() string { return fmt.Sprintf("%d.%d", v.major(), v.minor()) }
