"""The end of a campaign: the secret and everything that was sealed are published, for anybody to verify."""

from __future__ import annotations

import hashlib

from pbem.campaign.campaign import Campaign
from pbem.campaign.ledger.records import CloseRecord
from pbem.campaign.proof.opened_letters import opened_data
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused


def close(campaign: Campaign, why: str = "") -> int:
    """Publish the secrets; nothing can be played any more."""
    if done := campaign.done("close"):
        return done
    if campaign.public.phase == "closed":
        raise Refused(campaign.settings.campaign, [wrong("E-CAMPAIGN-PHASE")])
    if campaign.public.phase != "over" and not why:
        raise Refused(campaign.settings.campaign, [wrong("E-CAMPAIGN-PHASE.over")])
    digest = hashlib.sha256(opened_data(campaign.ledger, campaign.held)).hexdigest()
    number = campaign.add(CloseRecord(campaign.state.secret, digest, why)).number
    campaign.publish()
    return number
