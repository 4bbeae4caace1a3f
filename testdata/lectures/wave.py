"""Writes wave.csv, the training set of a lecture on regression in one column.

70 places from 0 to 2, y = (1 - x/2) sin 8x, and noise of variance 0.7. The lecture draws 80 and 16
other numbers from numpy's RandomState(1) before the 70 normal ones. Run it in this folder.
"""

import numpy as np

stream = np.random.RandomState(1)
stream.rand(80)
stream.rand(16)
x = np.linspace(0, 2, 70)
y = (1 - x / 2) * np.sin(8 * x) + np.sqrt(0.7) * stream.randn(70)
with open("wave.csv", "w", encoding="utf-8") as table:
    table.write("x,y\n")
    for row in zip(x, y):
        table.write("%r,%r\n" % tuple(map(float, row)))
