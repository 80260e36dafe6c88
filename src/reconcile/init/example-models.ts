/** An example that is short enough to be read at once and has records of the most common types. It has no secrets. */
export const EXAMPLE_MODELS = `# yaml-language-server: $schema=../schemas/import-document.schema.json

# What is measured and set in a room. Replace it by your own; split files as you like.
characteristics:
  - code: room-temperature
    name: Room temperature
    characteristicType: MEASUREMENT
    dataType: FLOAT
    symbol: °C
    precision: 1
  - code: room-setpoint
    name: Room setpoint
    characteristicType: SETTING
    dataType: FLOAT
    symbol: °C
    boundaryMin: 16
    boundaryMax: 26
    boundaryStep: 0.5

services:
  - code: room-climate
    name: Room climate
    characteristics: [{ code: room-temperature }, { code: room-setpoint }]

componentModels:
  - code: room-thermostat
    name: Room thermostat
    componentType: DEVICE
    services: [{ code: room-climate }]
`

export const EXAMPLE_SETTINGS = `# yaml-language-server: $schema=../schemas/settings.schema.json

# Decisions about changes, reviewed like the models. A plan that is blocked prints the lines to paste here, below acknowledge.
protect: []
moved: []

# Who may do what can stand here too, under access: then the platform has exactly these grants. Without access, grants
# are not managed by these files. Example: access: [{ role: viewer, everyone: users }]
`
