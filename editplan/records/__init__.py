"""Records of the kernel: what is stored, compared or sent."""

from editplan.records.base import Box, Record, Sha256, Unit, canonical_json, digest
from editplan.records.calls import Ask, CallKind, CallRecord, Edited, EditJob, Ledger, Reply, Usage
from editplan.records.capabilities import Capabilities
from editplan.records.media import Media, Part, PartRole
from editplan.records.outcome import Outcome, Refusal, Status
from editplan.records.plan import (
    Challenge,
    Evidence,
    EvidenceSource,
    Inspection,
    Obligation,
    OpenVariable,
    Plan,
    ResolvedVariable,
    Transition,
    Validity,
    VariableSource,
    VisualQuery,
)
from editplan.records.request import EditRequest

__all__ = [
    "Ask",
    "Box",
    "CallKind",
    "CallRecord",
    "Capabilities",
    "Challenge",
    "EditJob",
    "EditRequest",
    "Edited",
    "Evidence",
    "EvidenceSource",
    "Inspection",
    "Ledger",
    "Media",
    "Obligation",
    "OpenVariable",
    "Outcome",
    "Part",
    "PartRole",
    "Plan",
    "Record",
    "Refusal",
    "Reply",
    "ResolvedVariable",
    "Sha256",
    "Status",
    "Transition",
    "Unit",
    "Usage",
    "Validity",
    "VariableSource",
    "VisualQuery",
    "canonical_json",
    "digest",
]
