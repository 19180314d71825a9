import { type CdnTools, notFound } from '../../cdn/tools.ts';
import type { Handler } from '../../http/exchange.ts';
import type { Host } from '../../http/hosts.ts';
import { faultIn } from './faults.ts';
import { innertubeHandler } from './innertube-handler.ts';
import { mediaHandler, pictureHandler } from './media.ts';
import { captionHandler } from './responses/captions.ts';
import { suggestionHandler } from './responses/suggestions.ts';

/** Returns every host of the simulated p1. */
export function youtubeHosts(tools: CdnTools): Host[] {
  const innertube = innertubeHandler(tools);
  const pictures = pictureHandler(tools);
  const site: Handler = (exchange) => {
    const { pathname } = exchange.url;
    if (pathname.startsWith('/youtubei/v1/')) return innertube(exchange);
    return pathname === '/api/timedtext' ? captionHandler(exchange) : notFound(exchange);
  };
  const suggestions: Handler = (exchange) => {
    const fault = faultIn(exchange.url.searchParams.get('q') ?? '');
    if (fault !== undefined) return fault.send(exchange);
    return exchange.url.pathname === '/complete/search' ? suggestionHandler(exchange) : notFound(exchange);
  };
  return [
    { name: 'www.youtube.com', handle: site },
    { name: 'youtubei.googleapis.com', handle: site },
    { name: 'suggestqueries-clients6.youtube.com', handle: suggestions },
    { name: '*.googlevideo.com', handle: mediaHandler(tools) },
    { name: 'i.ytimg.com', handle: pictures },
    { name: 'yt3.ggpht.com', handle: pictures },
    { name: 'yt3.googleusercontent.com', handle: pictures },
  ];
}
