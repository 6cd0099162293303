"""The policies of this project and nothing else; what a policy is: `mixed_company.policies`.

    <game>/<id>.py    written ones, which follow a rule: one file each
    trained/          models with cards: <id>.onnx and <id>.json
    populations/      types of people: NAME.toml, and policies of fitted types, one file per game

All are found by themselves.
"""
