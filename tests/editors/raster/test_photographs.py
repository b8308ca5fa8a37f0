import numpy as np
import pytest
from skimage import data

from editplan.editors.raster.program import carry_out


@pytest.mark.parametrize("name", ["chelsea", "coffee", "rocket"])
@pytest.mark.parametrize(
    "instruction",
    [
        "Recolor the region from (10%, 20%) to (30%, 40%) to #00FF00.",
        "Cover the area between (10%, 20%) and (30%, 40%) with green (#00FF00). Keep everything else as it is.",
    ],
)
def test_every_pixel_outside_the_region_stays(name: str, instruction: str) -> None:
    source = getattr(data, name)()
    result = carry_out(source, instruction, unparsed="refuse")
    assert result.image is not None
    height, width = source.shape[:2]
    inside = np.zeros((height, width), dtype=bool)
    inside[round(0.2 * height) : round(0.4 * height), round(0.1 * width) : round(0.3 * width)] = True
    assert (result.image[inside] == (0, 255, 0)).all()
    assert np.array_equal(result.image[~inside], source[~inside])


def test_a_thing_in_a_photograph_is_not_grounded() -> None:
    result = carry_out(data.chelsea(), "Remove the red circle.", unparsed="literal")
    assert result.image is None
