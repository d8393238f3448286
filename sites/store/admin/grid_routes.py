"""What the page of a list sends: mass actions, edits in place, saved views, files, and which rows match now."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

from flask import Response, abort, g, jsonify, redirect, request
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form
from ...kit.listing import every, matching, rows
from ...kit.rules import Forbidden, NotFound, Refused, RuleError, Stale
from .. import messages, services
from ..services.base import deny
from . import blueprint, frame, grid_csv, grid_edit, grid_results, grids
from .grid_actions import Action, Outcome, Values
from .grid_selection import Chosen, asked, chosen, fingerprint

bp = blueprint("grids", __name__, url_prefix="/grids")


def grid_of(name: str) -> grids.Grid:
    """A list by name, or 404."""
    if name not in grids.GRIDS:
        abort(404)
    return grids.GRIDS[name]


@bp.get("/<name>/selection")
def selection(name: str) -> Answer:
    """How many rows match a list's query now, and their fingerprint, for "Select all that match"."""
    grid = grid_of(name)
    shape = grid.shape(frame.db())
    found = matching(frame.db(), grid.source, shape, asked(shape, request.args.to_dict(flat=False)))
    return jsonify(count=len(found), mark=fingerprint(found))


@bp.get("/<name>/export.csv")
def export(name: str) -> Answer:
    """All rows that match, with the columns shown, as a file."""
    grid = grid_of(name)
    if not grid.export:
        abort(404)
    frame.require(grid.export)
    shape, query = grid.asked(frame.db(), request.args.to_dict(flat=False))
    found = every(frame.db(), grid.source, shape, query)
    text = grid_csv.written(grid, shape, query, found, frame.db())
    answer = Response(text, mimetype="text/csv")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}-{g.world.today()}.csv"'
    return answer


@bp.post("/<name>/actions/<action_name>")
def act(name: str, action_name: str) -> Answer:
    """Carry out a mass action: one use case and one transaction a row; then back to the list with the results."""
    grid = grid_of(name)
    action = grid.action(action_name)
    if action is None or not action.use_case:
        abort(404)
    try:
        to = _carry_out(grid, action)
    except RuleError as error:
        if not _for_script():
            raise
        return _cannot(error)
    return jsonify(to=to) if _for_script() else redirect(to, 303)


def _carry_out(grid: grids.Grid, action: Action) -> str:
    """Do it to every chosen row, once; returns the address that shows what became of it."""
    form = frame.posted()
    with g.world.read() as db:
        picked = _selected(db, grid, action)
        values: Values = {field.name: field.read(form, db) for field in action.fields}
    form.check()
    back = frame.local_path(request.form.get("back", "") or "/")
    turn = frame.form_version(Form(messages.CATALOGUE, {"v": request.form.get("turn", "")}))
    if grid_results.claim(grid, action, turn, list(request.form.items(multi=True))):
        outcomes = [outcome(grid, action, one, action.arguments(dict(values))) for one in picked]
        turn = grid_results.finish(outcomes)
    return _with_result(back, turn)


def _for_script() -> bool:
    return "application/json" in request.headers.get("Accept", "")


def _selected(db: Any, grid: grids.Grid, action: Action) -> list[Chosen]:
    """The chosen rows, for somebody who may do this to them."""
    picked = chosen(db, grid, request.form.to_dict(flat=False))
    if not frame.may(action.needs):
        deny(g.world, g.actor, action.needs, grid.source.id.class_, id=picked[0].row.id)
    return picked


def outcome(grid: grids.Grid, action: Action, one: Chosen, values: Values) -> Outcome:
    """Run the use case for one row; a refusal concerns this row only."""
    named = {"id": one.row.id, "name": _sentence(grid.called(one.row)), "href": grid.page_of(one.row)}
    try:
        services.USE_CASES[action.use_case](
            g.world, g.actor, v=one.v, **{action.key or grid.key: grid.key_of(one.row)}, **values
        )
    except Stale as error:
        by = f" by {error.conflict.by}" if error.conflict else ""
        return Outcome(**named, ok=False, message=f"Changed meanwhile{by}.", code=error.code)
    except (Refused, NotFound, Forbidden) as error:
        return Outcome(**named, ok=False, message=error.message, code=error.code)
    return Outcome(**named, ok=True)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _with_result(back: str, turn: int) -> str:
    return f"{back}{'&' if '?' in back else '?'}{grids.RESULT}={turn}"


@bp.post("/<name>/cells")
def edit(name: str) -> Answer:
    """Change one value in the list; answered as JSON with the cell as it is now, or with why not."""
    grid = grid_of(name)
    column_name = request.form.get("column", "")
    editing = grid.edits.get(column_name)
    form = frame.posted()
    id = form.whole("id", "The row", required=True)
    if editing is None or id is None:
        return _cannot(messages.refused("NOT_EDITABLE", label=column_name or "This"))
    with g.world.read() as db:
        shape = grid.shape(db)
        found = rows(db, grid.source, shape, shape.parse({}), [id])
        if not found:
            return _cannot(NotFound(messages.say("NOT_FOUND", what=f"This {shape.nouns[0]}")))
        value = grid_edit.read(editing, shape.column(column_name), form, db)
    try:
        form.check()
        if not frame.may(editing.needs):
            deny(g.world, g.actor, editing.needs, grid.source.id.class_, id=id)
        values = {editing.field or column_name: value}
        services.USE_CASES[editing.use_case](
            g.world,
            g.actor,
            v=frame.form_version(form),
            **{editing.key or grid.key: grid.key_of(found[0])},
            **(editing.into(values) if editing.into else values),
        )
    except RuleError as error:
        return _cannot(error, grid_edit.answer(grid, id, g.world) if isinstance(error, Stale) else None)
    return jsonify(row=grid_edit.answer(grid, id, g.world))


def _cannot(error: RuleError, row: dict[str, Any] | None = None) -> Answer:
    """Why something was not done, for a script: each problem with its field, and the row as it is now."""
    text = error.message
    if isinstance(error, Stale) and error.conflict is not None:
        text = f"{error.conflict.what} was changed meanwhile by {error.conflict.by}; nothing was saved."
    problems = [{"field": problem.field, "message": problem.message} for problem in error.problems]
    answer = jsonify(code=error.code, message=text, problems=problems, row=row)
    answer.status_code = error.status
    return answer


@bp.post("/<name>/views")
def save_view(name: str) -> Answer:
    """Save the list as it is shown under a name."""
    grid = grid_of(name)
    form = frame.posted()
    back = frame.local_path(request.form.get("back", "") or "/")
    query, columns = _shown(grid)
    try:
        made = services.USE_CASES["views.save"](
            g.world,
            g.actor,
            grid=name,
            name=form.value("name"),
            query=query,
            columns=columns,
            is_default=form.ticked("is_default"),
        )
    except Refused as error:
        return frame.refused(error, to=back)
    return frame.done("VIEW_SAVED", to=_view_address(grid, made), name=made["name"])


@bp.post("/<name>/views/<int:id>/<any(update,rename,default,undefault,delete):what>")
def change_view(name: str, id: int, what: str) -> Answer:
    """Change, rename, prefer or delete a view of one's own."""
    grid = grid_of(name)
    back = frame.local_path(request.form.get("back", "") or "/")
    try:
        made = _change_view(grid, id, what)
    except Refused as error:
        return frame.refused(error, to=back)
    code = {"update": "VIEW_SAVED", "rename": "VIEW_RENAMED", "delete": "VIEW_DELETED"}
    code |= {"default": "VIEW_DEFAULT", "undefault": "VIEW_NO_DEFAULT"}
    to = _path(grid) if what == "delete" else back if what != "update" else _view_address(grid, made)
    return frame.done(code[what], to=to, name=made["name"])


def _change_view(grid: grids.Grid, id: int, what: str) -> dict[str, Any]:
    if what == "update":
        query, columns = _shown(grid)
        return dict(services.USE_CASES["views.update"](g.world, g.actor, id=id, query=query, columns=columns))
    if what == "rename":
        return dict(services.USE_CASES["views.rename"](g.world, g.actor, id=id, name=request.form.get("name", "")))
    if what == "delete":
        return dict(services.USE_CASES["views.delete"](g.world, g.actor, id=id))
    prefer = services.USE_CASES["views.make_default"]
    return dict(prefer(g.world, g.actor, id=id, is_default=what == "default"))


def _shown(grid: grids.Grid) -> tuple[dict[str, Any], list[str]]:
    """The list that the form was on, as a view keeps it; parts that mean nothing are left out."""
    with g.world.read() as db:
        shape = grid.shape(db)
        query = shape.parse(parse_qs(request.form.get("list", "")))
        pairs = shape.full(query)
    said: dict[str, Any] = {"f": [value for name, value in pairs if name == "f"], "sort": ",".join(query.sort)}
    if query.q:
        said["q"] = query.q
    return said, list(query.columns)


def _path(grid: grids.Grid) -> str:
    with g.world.read() as db:
        return grid.shape(db).path


def _view_address(grid: grids.Grid, made: dict[str, Any]) -> str:
    return f"{_path(grid)}?view={made['id']}"
