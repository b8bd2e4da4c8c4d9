// Sentences of the page on which a game is played.

const FOULS = { overline: "overline", double_four: "double-four", double_three: "double-three" };
export const foulName = (kind) => FOULS[kind] ?? kind;
export const other = (color) => (color === "black" ? "white" : "black");
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const square = (ring) => `${2 * ring + 1}×${2 * ring + 1} square`;

// What is asked of the player to act, and why. `ring` is the square of the opening, if there is one.
export function ask(game, ring) {
  const { phase, turn_color: color, you, to_act: acts } = game;
  const number = game.move_number + 1;
  const opponent = game.players[other(you.color)].name;
  const last = game.moves?.at(-1);
  const did = last?.point && last.seat !== you.seat ? `${opponent} put stone ${last.move_number} on ${last.point.name}. ` : "";
  const stone = `Your turn: place a ${color} stone`;
  switch (phase) {
    case "swap":
      return [`Keep ${you.color}, or swap to ${other(you.color)}?`,
        `${did}If you like ${other(you.color)} better now, swap.`];
    case "swap_or_put_two":
      return [`Keep ${you.color}, swap, or put two more?`,
        `${opponent} put three stones. Take either colour, or put two more stones and let ${opponent} choose.`];
    case "declare":
      return ["How many fifth moves must Black offer?",
        "White chooses one of them, so more are better for White. After that Black may still swap."];
    case "choose":
      return ["Choose the fifth stone: one of the lettered points.",
        `${opponent} offered them. Choose the one that is worst for Black.`];
    case "offer":
    case "fifth":
      return phase === "fifth"
        ? ["Your turn: place the fifth stone, or offer several.",
          `One stone${ring ? " inside the dotted square" : ""}, then ${opponent} may swap. Or offer points anywhere, and ${opponent} chooses.`]
        : ["Offer fifth moves.", `${opponent} chooses one of them.`];
    case "place": {
      const where = ring === 0 ? "on the centre" : ring ? "inside the dotted square" : "anywhere";
      const why = color === acts.color ? "" : " You place it although it is not your colour:";
      return [`Your turn: place stone ${number}, which is ${color}, ${where}.`,
        `${why} ${opponent} may choose the colour that it likes better, so make a fair position.`.trim()];
    }
    default:
      return [`${stone}.`, ""];
  }
}

// Why a point cannot be used, in words.
export function refusal(game, name, { stone, forbidden, ring, mirrored }) {
  if (stone !== ".") return `${capital(name)} is taken.`;
  if (mirrored) return `${name} and ${mirrored}, which you picked, are symmetric: they count as the same move.`;
  if (forbidden) {
    const whom = game.ruleset.startsWith("renju") ? "forbidden for Black" : "not allowed";
    return `${capital(foulName(forbidden))}: ${whom}.`;
  }
  switch (game.phase) {
    case "swap":
    case "swap_or_put_two":
      return "No stone now: first decide about the colours.";
    case "declare":
      return "No stone now: first say how many fifth moves Black must offer.";
    case "choose":
      return `${capital(name)} was not offered: choose one of the lettered points.`;
    case "fifth":
    case "place": {
      if (ring === 0) return "The first stone must be on the centre.";
      return `${capital(name)} is outside the ${square(ring)}, where this stone must be.`;
    }
    default:
      return `No stone can be placed on ${name} now.`;
  }
}

// The result for the player called `me`.
export function ending({ result, players, moves }, me) {
  const names = [players.black.name, players.white.name];
  const winner = result.winner_name;
  const loser = names.find((name) => name !== winner);
  const who = (name) => (name === me ? "You" : name);
  const won = `${who(winner)} won`;
  switch (result.reason) {
    case "five": return `${won}: five in a row.`;
    case "pairs": return `${won}: enough pairs are captured.`;
    case "overline": case "double_four": case "double_three":
      return `${won}: ${who(loser)} played a forbidden ${foulName(result.reason)}.`;
    case "resignation": return `${who(loser)} resigned: ${winner === me ? "you win" : `${winner} wins`}.`;
    case "timeout": return `${loser === me ? "Your time" : `The time of ${loser}`} ran out: ${winner === me ? "you win" : `${winner} wins`}.`;
    case "no_show": {
      const seat = moves?.at(-1)?.seat;
      const absent = Object.values(players).find((player) => player.seat === seat)?.name;
      return `${absent ? who(absent) : "A player"} did not show up: the game does not count.`;
    }
    case "board_full": return "A draw: the board is full.";
    case "void": return "An operator of the arena broke the game off: it does not count.";
    default: return winner ? `${won}: an operator of the arena decided so.` : "A draw: an operator of the arena decided so.";
  }
}

// A decision in a word or two.
export function brief({ kind, point, captured = [], points = [], fifths }) {
  if (point) return captured.length ? `${point.name} ×${captured.length}` : point.name;
  const words = { put_two: "two more", declare: `${fifths} fifths`, offer: `offers ${points.length}`, resign: "resigns", timeout: "time", no_show: "no show" };
  return words[kind] ?? kind;
}
