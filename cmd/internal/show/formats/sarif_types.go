package formats

// The parts of SARIF 2.1.0 that are written (OASIS, sarif-v2.1.0-errata01-os). The format or GitHub
// code scanning requires keys without omitempty.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
	ColumnKind  string            `json:"columnKind"`
	Properties  *sarifTargets     `json:"properties,omitempty"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string         `json:"id"`
	Name             string         `json:"name"`
	ShortDescription sarifMessage   `json:"shortDescription"`
	FullDescription  sarifMessage   `json:"fullDescription"`
	Default          sarifDefault   `json:"defaultConfiguration"`
	Help             sarifMessage   `json:"help"`
	Properties       sarifRuleProps `json:"properties"`
}

type sarifDefault struct {
	Level string `json:"level"`
}

type sarifRuleProps struct {
	Tags      []string `json:"tags"`
	Precision string   `json:"precision"`
	Severity  string   `json:"problem.severity"`
}

type sarifMessage struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string       `json:"level"`
	Message sarifMessage `json:"message"`
}

type sarifResult struct {
	RuleID        string             `json:"ruleId"`
	RuleIndex     int                `json:"ruleIndex"`
	Level         string             `json:"level"`
	Message       sarifMessage       `json:"message"`
	Locations     []sarifLocation    `json:"locations"`
	Related       []sarifLocation    `json:"relatedLocations,omitempty"`
	Fingerprints  map[string]string  `json:"partialFingerprints"`
	Occurrences   uint64             `json:"occurrenceCount,omitempty"`
	BaselineState string             `json:"baselineState,omitempty"`
	Suppressions  []sarifSuppression `json:"suppressions"`
	Properties    sarifResultProps   `json:"properties"`
}

type sarifLocation struct {
	ID       *int          `json:"id,omitempty"`
	Physical sarifPhysical `json:"physicalLocation"`
	Message  *sarifMessage `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Status        string `json:"status"`
	Justification string `json:"justification,omitempty"`
}

type sarifResultProps struct {
	Target    string            `json:"target"`
	Bucket    string            `json:"bucket"`
	State     string            `json:"state"`
	Layer     string            `json:"layer,omitempty"`
	Input     string            `json:"input,omitempty"`
	Origin    string            `json:"origin,omitempty"`
	Outcomes  map[string]string `json:"outcomes"`
	Results   map[string]string `json:"results,omitempty"`
	Odd       []string          `json:"odd,omitempty"`
	Location  string            `json:"location,omitempty"`
	Folder    string            `json:"folder,omitempty"`
	Reproduce []string          `json:"reproduce,omitempty"`
	Also      []string          `json:"also,omitempty"` // findings with the same cause
}

type sarifTargets struct {
	Targets []sarifTarget `json:"targets"`
}

type sarifTarget struct {
	Name       string `json:"name"`
	Mode       string `json:"mode"`
	Inputs     uint64 `json:"inputs"`
	Executions uint64 `json:"executions"`
	Earlier    bool   `json:"earlier,omitempty"`
}
