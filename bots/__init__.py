"""The policies of this project. `mixed_company.policies` defines their interface.

    <game>/<id>.py    scripted policies, one file each
    trained/          models with cards: <id>.onnx and <id>.json
    populations/      types of people (NAME.toml), and policies for fitted types

All of them are discovered automatically.
"""
