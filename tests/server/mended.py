"""Everything in oTree that `server.mends.install` changes, by name."""

from __future__ import annotations

__all__ = ["CHANGED"]

LISTED = """
bots.bot: ParticipantBot.live_method_stuff
channels.consumers: BaseWaitPage.mark_waitpage_connected_or_not
channels.consumers: BaseWaitPage.mark_waitpage_tab_hidden_or_not LiveConsumer.decode
channels.consumers: LiveConsumer.on_connect LiveConsumer.on_disconnect LiveConsumer.on_receive
channels.consumers: WSCreateSession.post_receive_json WSCreateSession.send_response_to_browser
channels.consumers: _OTreeAsyncJsonWebsocketConsumer.__init__
channels.consumers: _OTreeAsyncJsonWebsocketConsumer.dispatch
channels.consumers: _OTreeAsyncJsonWebsocketConsumer.on_connect
channels.consumers: _OTreeAsyncJsonWebsocketConsumer.on_receive
channels.routing: websocket_routes
channels.utils: ChannelLayer.send
cli.prodserver1of2: Command.handle get_addr_port run_uvicorn
common: is_noself
database: AnyModel.objects_exists AnyModel.objects_first AnyModel.objects_get DBWrapper.get_or_404
export: sanitize_for_csv
live: _live_send_back
middleware: _get_paths_without_lock
models.participant: Participant.payoff_in_real_world_currency
models.participant: Participant.payoff_plus_participation_fee Participant.set_label
models.session: Session.advance_last_place_participants Session.advance_selected_participants
room: LabelRoom.get_participant_labels
session: create_session
tasks: Worker.listen get post
templating.nodes: url_of_static_file
templating.template: Template.__init__
views.abstract: Page.post
views.admin: AdminReport.get_form AdvanceSession.get AdvanceSession.post Login.form_valid
views.admin: Logout.get SaveDB.post SessionDescription.vars_for_template
views.admin: SessionEditProperties.form_valid SessionPayments.vars_for_template
views.admin: ToggleArchivedSessions.get
views.cbv: AdminView._is_logged_in AdminView.get_template_name AdminView.post validate_rest_key
views.demo: CreateDemoSession.intercept_dispatch DemoIndex.vars_for_template
views.export: ExportMixin.process_export
views.mturk: MTurkCreateHIT.inner_dispatch MTurkExpireHIT.get MTurkExpireHIT.inner_dispatch
views.mturk: PayMTurk.get RejectMTurk.get
views.participant: AssignVisitorToRoom.get AssignVisitorToRoom.post InitializeParticipant.get
views.participant: MTurkStart.get SessionWideLink.get get_participant_by_cookies
views.participant: get_participant_by_label no_participants_left_http_response
views.rest: RESTGetSessionInfo.post RESTGetSessionInfoLegacy.get RESTParticipantVars.post
views.rest: RESTParticipantVarsByRoom.post RESTSessionVars.post create_session
views.room: CloseRoom.get CloseRoom.intercept_dispatch RoomWithSession.intercept_dispatch
views.room: RoomWithoutSession.intercept_dispatch RoomWithoutSession.post
"""
"""Each module of oTree, with the names that change in it."""

CHANGED = {
    f"otree.{module}.{name}"
    for module, names in (line.split(":") for line in LISTED.split("\n") if line)
    for name in names.split()
}
