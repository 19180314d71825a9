import { useState } from 'preact/hooks';
import type { ExtractionResponse, RecognisedLink } from '#client/index.ts';
import { textAt } from '#client/read-members.ts';
import { ButtonGroup } from '../common/button-group.ts';
import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { platformNames } from '../common/platform-names.ts';
import { messages } from '../language/language.ts';
import { describeLink } from '../query/describe-link.ts';
import { type QueryResult, resultHeadingId } from '../query/query-result.ts';
import { PagedList } from './paged-list.ts';
import { PersonHeader } from './person-header.ts';

/** Shows a profile with its posts, or why there are none. */
export function ProfileView({ query: { link }, result }: QueryResult): View {
  const { author = {} } = result.metadata;
  const name = textAt(author, 'name') ?? textAt(author, 'username') ?? describeLink(link);
  const hasPosts = Array.isArray(author.posts) && author.posts.length > 0;
  return html`
    <section aria-labelledby=${resultHeadingId}>
      <${PersonHeader} kind=${describeLink(link)} person=${author} pictures="thumbnails" />
      ${
        link.platform === 'p3'
          ? html`<${ReelsAndPhotos} name=${name} parameters=${link.parameters} />`
          : hasPosts
            ? html`<${LatestPosts} name=${name} link=${link} result=${result} />`
            : html`<${NoPosts} platform=${platformNames[link.platform]} author=${author} />`
      }
    </section>
  `;
}

function ReelsAndPhotos({ name, parameters }: { name: string; parameters: Readonly<Record<string, string>> }): View {
  const [tab, setTab] = useState<string>('profile/reels');
  const { profile, list } = messages();
  return html`
    <${ButtonGroup} label=${list.contentType} options=${profile.tabs} value=${tab} onChoose=${setTab} />
    <${PagedList} key=${tab} link=${{ platform: 'p3', endpoint: tab, parameters }} name=${name} />
  `;
}

interface LatestPostsProps {
  readonly name: string;
  readonly link: RecognisedLink;
  readonly result: ExtractionResponse;
}

function LatestPosts({ name, link, result }: LatestPostsProps): View {
  const { profile } = messages();
  return html`
    <h3>${profile.latest}</h3>
    <p class="soft small">${profile.latestOnly}</p>
    <${PagedList} name=${name} link=${link} first=${result} />
  `;
}

function NoPosts({ platform, author }: { platform: string; author: Readonly<Record<string, unknown>> }): View {
  const { profile } = messages();
  const reason =
    author.private === true ? profile.private : author.postCount === 0 ? profile.noPosts : profile.notListed(platform);
  return html`
    <div class="panel notice">
      <${Icon} name="info" />
      <p>${reason} ${author.postCount === 0 ? null : profile.instead}</p>
    </div>
  `;
}
