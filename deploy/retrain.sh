#!/bin/sh
# Trains a model again on a new table, and puts it in place of the old one if it is fit:
#
#   MODEL=/var/lib/coppice/churn.coppice TABLE=/data/customers.parquet deploy/retrain.sh
#
# The table is checked against the old model, and the new model against the test rows and the old
# model. Where a condition holds the status is 4, and MODEL stays. The last three models stay as
# MODEL.1, the latest, to MODEL.3. Further variables:
#
#   SQL, DB   a query of a database in place of TABLE, such as DB=postgres://... or DB=sqlite:FILE
#   NEW       table of the rows that are new, which are checked (default: all rows)
#   CHECK     one more condition on these rows, for coppice check: they may have no missing columns,
#             and no columns of another kind or scale
#   FAIL_IF   condition on the new model, such as auc<0.75 (default: none but the old model)
#   TEST      fraction of the rows for the test set, or its file (default: 0.2)
set -eu
if [ -n "${SQL:-}" ]; then
  set -- --sql "$SQL" --db "${DB:?}"
else
  set -- "${TABLE:?}"
fi
new=${MODEL:?}.new
checked() {
  coppice check "$MODEL" "$@" --fail-if 'missing_columns>0' --fail-if 'other_kinds>0' \
    --fail-if 'other_scale>0' ${CHECK:+--fail-if "$CHECK"}
}
if [ -n "${NEW:-}" ]; then checked "$NEW"; else checked "$@"; fi
coppice retrain "$MODEL" "$@" --test "${TEST:-0.2}" --not-worse-than "$MODEL" \
  ${FAIL_IF:+--fail-if "$FAIL_IF"} -o "$new"
for i in 2 1; do
  if [ -e "$MODEL.$i" ]; then
    mv -f "$MODEL.$i" "$MODEL.$((i + 1))"
  fi
done
cp -p "$MODEL" "$MODEL.1" # so that MODEL is there at any time
mv -f "$new" "$MODEL"
