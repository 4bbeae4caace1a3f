//go:build ignore

// This program made excelize.xlsx, with excelize v2.11.1.
package main

import (
	"time"

	"github.com/xuri/excelize/v2"
)

func main() {
	f := excelize.NewFile()
	s := "Sheet1"
	f.SetSheetRow(s, "A1", &[]any{"Report of 2024"})
	f.SetSheetRow(s, "A3", &[]any{"day", "age", "town", "ok", "sum"})
	for i := 0; i < 5; i++ {
		cell, _ := excelize.CoordinatesToCellName(1, 4+i)
		f.SetSheetRow(s, cell, &[]any{time.Date(2024, 1, 31+i, 12, 0, 0, 0, time.UTC), 20 + i, "Ulm", i%2 == 0, nil})
	}
	f.SetCellFormula(s, "E4", "B4*2")
	f.SetCellRichText(s, "C5", []excelize.RichTextRun{{Text: "Bo"}, {Text: "nn"}})
	f.NewSheet("Zwei")
	f.SetSheetRow("Zwei", "A1", &[]any{"x"})
	f.SetSheetRow("Zwei", "A2", &[]any{7})
	f.SaveAs("excelize.xlsx")
}
