#!/usr/bin/env python3
"""Checks certificates of Tabia with the rules of three games and nothing else.

    python3 check.py FILE

Written from docs/certificates.md alone. It knows m,n,k-games, tictactoe among them, Breakthrough
and Do-Guti, and no tables. The status is 0 if the certificate is valid, 1 if it is refused, 2 if
there is no such file, or if the game or a table is not known here.
"""

import re
import struct
import sys

# BLAKE3, which the standard library lacks (sections are those of its paper).

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
      0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
ORDER = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
LANES = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
         (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
CHUNK_START, CHUNK_END, PARENT, ROOT = 1, 2, 4, 8
MASK = 0xFFFFFFFF


def compress(chaining, words, counter, length, flags):
    """The compression function (section 2.2): the first eight words of its output."""
    v = [*chaining, *IV[:4], counter & MASK, counter >> 32, length, flags]
    words = list(words)
    for _ in range(7):
        for i, (a, b, c, d) in enumerate(LANES):
            for word, turn, other in ((words[2 * i], 16, 12), (words[2 * i + 1], 8, 7)):
                v[a] = (v[a] + v[b] + word) & MASK
                v[d] ^= v[a]
                v[d] = (v[d] >> turn | v[d] << 32 - turn) & MASK
                v[c] = (v[c] + v[d]) & MASK
                v[b] ^= v[c]
                v[b] = (v[b] >> other | v[b] << 32 - other) & MASK
        words = [words[i] for i in ORDER]
    return tuple(v[i] ^ v[i + 8] for i in range(8))


def chunk_node(data, number):
    """The last compression of a chunk of at most 1,024 bytes (section 2.4), to be made later."""
    chaining, start = IV, CHUNK_START
    starts = range(0, len(data) or 1, 64)
    blocks = [struct.unpack("<16I", data[i:i + 64].ljust(64, b"\0")) for i in starts]
    for block in blocks[:-1]:
        chaining = compress(chaining, block, number, 64, start)
        start = 0
    return chaining, blocks[-1], number, len(data) - starts[-1], start | CHUNK_END


def tree_node(data, number):
    """The same for a whole subtree (section 2.1); the left one has a power of two of chunks."""
    if len(data) <= 1024:
        return chunk_node(data, number)
    left = 1 << (len(data) - 1).bit_length() - 1
    halves = tree_node(data[:left], number), tree_node(data[left:], number + left // 1024)
    return IV, sum((compress(*half) for half in halves), ()), 0, 64, PARENT


def blake3(data):
    chaining, words, _, length, flags = tree_node(data, 0)
    return struct.pack("<8I", *compress(chaining, words, 0, length, flags | ROOT)).hex()


# The rules. A position is (board, mover); the board says whose piece, 0 or 1, is on (file, rank).
# The winner is 0 or 1, None for a draw, OPEN before the end; moves come with the positions after.

OPEN = "open"


class Refused(Exception):
    """What is wrong with a certificate."""


class Unknown(Exception):
    """What this program does not know."""


def name(square):
    return f"{chr(ord('a') + square[0])}{square[1] + 1}"


class Board:
    """A rectangular board, its letters, and the names of the players."""

    def __init__(self, width, height, letters, players):
        self.width, self.height, self.letters, self.players = width, height, letters, players

    def parse(self, text):
        rows, _, side = text.partition(" ")
        rows = [re.sub(r"\d{1,3}", lambda n: "." * int(n[0]), row) for row in rows.split("/")]
        if [len(row) for row in rows] != [self.width] * self.height:
            raise Refused(f"'{text}' is no board of {self.width}x{self.height}")
        if not set("".join(rows)) <= {".", *self.letters} or side not in [*self.letters]:
            raise Refused(f"'{text}' has other letters than '{self.letters}', or no side to move")
        squares = ((file, self.height - 1 - i, letter)
                   for i, row in enumerate(rows) for file, letter in enumerate(row))
        board = {(f, r): self.letters.index(letter) for f, r, letter in squares if letter != "."}
        return board, self.letters.index(side)


class Rows(Board):
    """m,n,k-games: a stone on any empty square, k in a row win, a full board is a draw."""

    def __init__(self, width, height, k):
        super().__init__(width, height, "xo", ("X", "O"))
        self.k = k

    def winner(self, position):
        board, _ = position
        for (file, rank), owner in board.items():
            for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                row = [(file + i * across, rank + i * up) for i in range(self.k)]
                if all(board.get(square) == owner for square in row):
                    return owner
        return None if len(board) == self.width * self.height else OPEN

    def moves(self, position):
        board, mover = position
        for rank in range(self.height - 1, -1, -1):
            for file in range(self.width):
                if (file, rank) not in board:
                    yield name((file, rank)), ({**board, (file, rank): mover}, 1 - mover)


class Breakthrough(Board):
    """A step forward, straight or diagonally; captures diagonally; the last rank wins."""

    def __init__(self, width, height):
        super().__init__(width, height, "wb", ("White", "Black"))

    def winner(self, position):
        board, _ = position
        for player, goal in ((0, self.height - 1), (1, 0)):
            arrived = any(p == player and rank == goal for (_, rank), p in board.items())
            if arrived or 1 - player not in board.values():
                return player
        return OPEN

    def moves(self, position):
        board, mover = position
        pieces = sorted((s for s, p in board.items() if p == mover), key=lambda s: (s[1], s[0]))
        for file, rank in pieces:
            for to in ((file + side, rank + 1 - 2 * mover) for side in (-1, 0, 1)):
                target, barred = board.get(to), (0, 1) if to[0] == file else (mover,)
                if target in barred or not 0 <= to[0] < self.width:
                    continue
                after = {s: p for s, p in board.items() if s != (file, rank)} | {to: mover}
                mark = "-" if target is None else "x"
                yield f"{name((file, rank))}{mark}{name(to)}", (after, 1 - mover)


class DoGuti(Board):
    """Two stones each on five points; whoever cannot move has lost."""

    A1, C1, B2, A3, C3 = POINTS = (0, 0), (2, 0), (1, 1), (0, 2), (2, 2)
    LINES = {A1: (C1, B2, A3), C1: (A1, B2, C3), B2: (A1, C1, A3, C3), A3: (A1, B2), C3: (C1, B2)}

    def __init__(self):
        super().__init__(3, 3, "wb", ("White", "Black"))

    def parse(self, text):
        board, mover = super().parse(text)
        if not board.keys() <= set(self.POINTS) or sorted(board.values()) != [0, 0, 1, 1]:
            raise Refused("there are two stones of each side on the five points")
        return board, mover

    def winner(self, position):
        return next((OPEN for _ in self.moves(position)), 1 - position[1])

    def moves(self, position):
        board, mover = position
        for point in self.POINTS:
            for to in self.LINES[point] if board.get(point) == mover else ():
                if to not in board:
                    after = {s: p for s, p in board.items() if s != point} | {to: mover}
                    yield f"{name(point)}-{name(to)}", (after, 1 - mover)


NUMBER = "([1-9][0-9]{0,2})"
GAMES = (("tictactoe", lambda: Rows(3, 3, 3)), (f"mnk:{NUMBER},{NUMBER},{NUMBER}", Rows),
         (f"breakthrough:{NUMBER}x{NUMBER}", Breakthrough), ("doguti", DoGuti))


def game_of(spec):
    for pattern, game in GAMES:
        if found := re.fullmatch(pattern, spec):
            return game(*map(int, found.groups()))
    raise Unknown(f"this program does not know the game '{spec}'")


class Lines:
    """The lines of a certificate, one after the other."""

    def __init__(self, data):
        if not data.endswith(b"\n"):
            raise Refused("the last line has no end")
        self.lines = data.decode("utf-8").split("\n")[:-1]
        self.number = 0
        if self.lines[-1] != f"end {blake3(data[:data.rfind(b'end')])}":
            raise Refused(f"line {len(self.lines)}: the checksum does not fit")
        if max(len(line.encode()) for line in self.lines) >= 65536:
            raise Refused("a line is longer than 65,536 bytes")

    def next(self):
        self.number += 1
        return self.lines[self.number - 1] if self.number <= len(self.lines) else ""

    def expect(self, beginning, rest=".+"):
        if found := re.fullmatch(f"{beginning}({rest})", self.next()):
            return found[1]
        raise Refused(f"'{beginning}' should be here")


def walk(game, root, player, at_least, lines):
    """Walks through a strategy, depth first; returns how many moves and positions there were."""
    good = [player, None] if at_least == "draw" else [player]
    entered, under_way, used = set(), set(), 0
    # What is still to do, the next thing last: positions to look at, and positions to leave.
    stack = [(False, root)]
    while stack:
        leaving, position = stack.pop()
        key = frozenset(position[0].items()), position[1]
        if leaving:
            under_way.remove(key)
            continue
        if (winner := game.winner(position)) in good:
            continue
        if winner != OPEN:
            raise Refused(f"the game ends without a {at_least} for {game.players[player]}")
        if key in under_way and at_least == "win":
            raise Refused("the game could go round for ever")
        if key in entered:
            continue
        entered.add(key)
        under_way.add(key)
        stack.append((True, position))
        moves = list(game.moves(position))
        if position[1] == player:
            chosen, used = lines.next(), used + 1
            moves = [move for move in moves if move[0] == chosen]
            if not moves:
                raise Refused(f"'{chosen}' is no legal move here")
        stack.extend((False, after) for _, after in reversed(moves))
    return used, len(entered)


def check(data):
    """Returns what a valid certificate proves; anything else is refused."""
    lines = Lines(data)
    try:
        lines.expect("tabia certificate 1", "")
        game = game_of(spec := lines.expect("game "))
        root = game.parse(text := lines.expect("position "))
        if game.winner(root) != OPEN:
            raise Refused("the game is over")
        mover, names, claim = root[1], game.players, lines.next().split(" ")
        if claim[0] == "value" and claim[1:] in (["win"], ["draw"], ["loss"]):
            tasks = {"win": [(mover, "win")], "loss": [(1 - mover, "win")],
                     "draw": [(0, "draw"), (1, "draw")]}[claim[1]]
        elif claim in [["goal", name, least] for name in names for least in ("win", "draw")]:
            tasks = [(names.index(claim[1]), claim[2])]
        else:
            raise Refused("'value ...' or 'goal ...' should be here")
        if lines.lines[lines.number].startswith("table "):
            raise Unknown("the certificate relies on tables, which this program cannot read")
        moves = positions = 0
        for player, at_least in tasks:
            lines.expect(f"strategy {names[player]} {at_least}", "")
            used, entered = walk(game, root, player, at_least, lines)
            moves, positions = moves + used, positions + entered
        lines.expect("end ")
        if lines.number < len(lines.lines):
            raise Refused("something follows the end")
    except Refused as error:
        raise Refused(f"line {lines.number}: {error}") from None
    return f"{spec}\n{text}\n{' '.join(claim)}\n{positions} positions, {moves} moves listed"


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with open(arguments[0], "rb") as file:
            print(check(file.read()))
        return 0
    except (Refused, UnicodeDecodeError) as error:
        print(f"refused: {error}", file=sys.stderr)
        return 1
    except (OSError, Unknown) as error:
        print(f"error: {error}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
