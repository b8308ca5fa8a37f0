"""`embedded`: an offline vision model that is a program, not a learned model.

It sees what any vision model sees (labelled pictures and a rendered text), downsampled to a declared side length, and
answers JSON text in the published formats. Classical computer vision finds shapes, and one solver a kind of goal
reasons over them; a goal for which there is no solver gets an honest uncertain answer.
"""
