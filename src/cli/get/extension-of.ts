import { outputContainers } from '../../contract/containers.ts';
import { isPassiveType, extensionOf as passiveExtension } from '../../contract/inert-media-types.ts';
import { bareType } from '../../contract/media-types.ts';

/**
 * Returns the extension that people know for a media type: `mp3` and `opus`, not `mpga` and `oga`. Undefined for all
 * types but those of audio, video and images that nothing runs: a service could name a program or a web page.
 */
export function extensionOf(mediaType: string): string | undefined {
  const type = bareType(mediaType);
  const containers = Object.entries(outputContainers).filter(([, { mimeType }]) => mimeType === type);
  // Ogg files with Opus share their type with those of other codecs.
  const codecs = mediaType.toLowerCase().slice(type.length);
  const named = containers.find(([ext]) => codecs.includes(ext)) ?? containers[0];
  return named?.[0] ?? (isPassiveType(type) ? passiveExtension(type) : undefined);
}
