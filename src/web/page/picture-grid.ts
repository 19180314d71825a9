import { useState } from 'preact/hooks';
import type { Answer } from '#client/index.ts';
import { announce } from './announcer.ts';
import { saveArchive } from './archive.ts';
import { bytesText } from './format.ts';
import { html, type View } from './html.ts';
import { titleOf } from './media-facts.ts';
import { Picture } from './picture.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { ProblemView } from './problem-view.ts';
import { QualityList } from './quality-list.ts';
import type { Question } from './question.ts';

/** The pictures and videos of a post: each to be saved by itself, or several together. */
export function PictureGrid({ question, answer }: { question: Question; answer: Answer }): View {
  const pieces = piecesOf(answer.contents ?? []);
  const savable = pieces.filter(({ file }) => file !== undefined);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const choose = (place: number, wanted: boolean) => {
    const next = new Set(chosen);
    if (wanted) next.add(place);
    else next.delete(place);
    setChosen(next);
  };
  const everything = chosen.size === savable.length;
  const chooseAll = () => setChosen(new Set(everything ? [] : savable.map(({ place }) => place)));
  return html`
    <section class="pieces" aria-label="Pictures and videos">
      ${
        savable.length > 1
          ? html`
              <div class="bar">
                <label>
                  <input
                    type="checkbox" checked=${everything} indeterminate=${chosen.size > 0 && !everything}
                    onChange=${chooseAll}
                  />
                  Select all ${savable.length}
                </label>
                <${SaveChosen} pieces=${savable.filter(({ place }) => chosen.has(place))} title=${titleOf(answer)} />
              </div>
            `
          : null
      }
      <ul class="grid">
        ${pieces.map(
          (piece) => html`
          <${Cell}
            key=${piece.place} piece=${piece} alone=${savable.length < 2} chosen=${chosen.has(piece.place)}
            onChoose=${(wanted: boolean) => choose(piece.place, wanted)} question=${question} answer=${answer}
          />
        `,
        )}
      </ul>
    </section>
  `;
}

interface CellProps {
  readonly piece: Piece;
  readonly alone: boolean;
  readonly chosen: boolean;
  readonly onChoose: (wanted: boolean) => void;
  readonly question: Question;
  readonly answer: Answer;
}

function Cell({ piece, alone, chosen, onChoose, question, answer }: CellProps): View {
  const { content, kind, place, shown, file } = piece;
  const name = `${kind === 'video' ? 'Video' : 'Picture'} ${place}`;
  const facts = [
    ...(file === undefined ? [] : [file.label]),
    ...(file?.metadata.content_length === undefined ? [] : [bytesText(file.metadata.content_length)]),
  ];
  const picture = html`<${Picture} src=${shown} shape="square" />`;
  return html`
    <li>
      ${
        alone || file === undefined
          ? picture
          : html`
              <label class="pick">
                <input type="checkbox" checked=${chosen} onChange=${() => onChoose(!chosen)} aria-label=${`Select ${name}`} />
                ${picture}
              </label>
            `
      }
      <p><strong>${name}</strong> <span class="soft">${facts.join(' · ')}</span></p>
      ${file === undefined ? null : html`<a href=${file.url} download>Save<span class="unseen"> ${name}</span></a>`}
      ${
        kind === 'video'
          ? html`
              <details>
                <summary>Qualities<span class="unseen"> of ${name}</span></summary>
                <${QualityList} question=${question} answer=${answer} content=${content} of=${name} />
              </details>
            `
          : null
      }
    </li>
  `;
}

function SaveChosen({ pieces, title }: { pieces: readonly Piece[]; title: string }): View {
  const [state, setState] = useState('');
  const [error, setError] = useState<unknown>();
  const save = async () => {
    if (state !== '') return;
    setError(undefined);
    try {
      await saveArchive(pieces, title, ({ done, of }) => setState(`Fetching ${done + 1} of ${of} …`));
      announce(`${pieces.length} files are in one archive.`);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setState('');
    }
  };
  return html`
    <button type="button" onClick=${() => void save()} disabled=${pieces.length === 0} aria-busy=${state !== ''}>
      ${state || (pieces.length === 0 ? 'Save as ZIP' : `Save ${pieces.length} as ZIP`)}
    </button>
    ${error === undefined ? null : html`<${ProblemView} error=${error} onRetry=${() => void save()} />`}
  `;
}
