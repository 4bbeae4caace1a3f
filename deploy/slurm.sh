#!/bin/bash
# A batch script of Slurm. It trains on TABLE with the label LABEL, and resumes where an earlier job
# of the same MODEL has left a checkpoint:
#
#   sbatch --export=ALL,TABLE=clicks.parquet,LABEL=clicked,MODEL=clicks.coppice deploy/slurm.sh
#
# Options of sbatch before the script's name replace those below.
#SBATCH --job-name=coppice
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=8
#SBATCH --mem-per-cpu=4G
#SBATCH --time=24:00:00
#SBATCH --requeue
set -euo pipefail
: "${TABLE:?}" "${LABEL:?}" "${MODEL:?}"
resume=()
if [ -e "$MODEL.checkpoint" ]; then
  resume=(--resume "$MODEL.checkpoint")
fi
mpirun --bind-to none ${MPIRUN_OPTIONS:-} "${COPPICE_MPI:-coppice-mpi}" train "$TABLE" --label "$LABEL" --valid 0.1 \
  --threads "${SLURM_CPUS_PER_TASK:-1}" --checkpoint-every 50 "${resume[@]}" -o "$MODEL"
