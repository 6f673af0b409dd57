"""The settings of the app exist in the installed Streamlit and keep the app on this machine."""

from __future__ import annotations

import tomllib

from streamlit.config import get_config_options

from tests.setup.folders import ROOT

SETTINGS = {
    f"{section}.{name}": value
    for section, values in tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text()).items()
    for name, value in values.items()
}


def test_streamlit_knows_every_setting() -> None:
    assert SETTINGS.keys() - get_config_options().keys() == set()


def test_the_app_listens_on_this_machine_only_and_reports_to_nobody() -> None:
    assert SETTINGS["server.address"] == "127.0.0.1"
    assert SETTINGS["browser.gatherUsageStats"] is False
    assert SETTINGS["server.showEmailPrompt"] is False
