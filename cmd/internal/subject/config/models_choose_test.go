package config

import (
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// TestChoose checks that models can be chosen by name, and keep the names of their campaigns.
func TestChoose(t *testing.T) {
	models := func() *Models { return &Models{Path: "m.toml", List: []Model{{Function: "a"}, {Function: "b"}}} }
	m := models()
	if err := m.Choose([]string{"b"}); err != nil || len(m.List) != 1 || m.List[0].Function != "b" || m.Alone() {
		t.Errorf("%+v, %v", m, err)
	}
	if m = models(); m.Choose([]string{"b", "a"}) != nil || len(m.List) != 2 || m.Chosen {
		t.Errorf("%+v", m)
	}
	if m.List = m.List[:1]; !m.Alone() {
		t.Error("one model is not alone")
	}
	moduletest.WantError(t, models().Choose([]string{"a", "c"}), exit.UsageCode, `--functions: m.toml has no model "c": it has a, b`)
}
