/** A word or phrase that no text uses, and what to write instead. */
interface ForbiddenPhrase {
  readonly pattern: RegExp;
  readonly instead: string;
}

/**
 * Words and phrases that no text of Millrace uses. The first group contains old or poetic English, the second clauses
 * in place of nouns, the third idioms of other languages, and the fourth former names of parts.
 */
export const forbiddenPhrases: readonly ForbiddenPhrase[] = [
  { pattern: /\banew\b/gi, instead: 'again' },
  { pattern: /\bmend(?:s|ed|ing)?\b/gi, instead: 'fix, repair, correct' },
  { pattern: /\blikewise\b/gi, instead: 'also, in the same way' },
  { pattern: /\bwho(?:m|so)?ever\b/gi, instead: 'the person: the operator, the caller' },
  { pattern: /\blest\b/gi, instead: 'so that … not' },
  {
    pattern: /\b(?:whence|whither|hence(?:forth)?|thereof|thereupon|hereby|herewith|wherein|whereby|thus)\b/gi,
    instead: 'so, therefore, with which',
  },
  { pattern: /\b(?:amongst|whilst|nought|forthwith|albeit|behold)\b/gi, instead: 'among, while, nothing, although' },
  { pattern: /\bupon\b/gi, instead: 'on, when' },

  { pattern: /\bwho (?:asks|asked|calls|wants)\b/gi, instead: 'the caller' },
  {
    pattern: /\bwhat (?:comes|came|is there|was there|there is|there was|is had)\b/gi,
    instead: 'the noun: the response, the input',
  },
  {
    pattern:
      /\bwhat (?:is|was|are|were) (?:fetched|asked|told|left|kept|known|shown|stored|found|meant|wanted|needed)\b/gi,
    instead: 'the noun: the input, the parameters, the rest',
  },
  { pattern: /\bthat there (?:is|are|was|were)(?=[.,;:)]|$)/gi, instead: 'existing' },

  { pattern: /\b(?:is|are|was|were|be|been|being) told\b/gi, instead: 'receives, is reported, is notified' },
  { pattern: /\btell(?:s)? apart\b|\btold apart\b/gi, instead: 'distinguish' },
  { pattern: /\b(?:can|could|cannot|may|might|must|to|not) be had\b/gi, instead: 'is available' },
  { pattern: /(?<!there )\b(?:is|are|was|were) none\b(?! of)/gi, instead: 'does not exist, there is no …' },
  { pattern: /\b(?:goes|go|went|going|gone) on\b/gi, instead: 'continue, resume' },
  {
    pattern:
      /\bof (?:its|their|our|his|my|one's) own(?=[.,;:)]|$| (?:and|because|if|in|is|or|that|when|which|with)\b)/gi,
    instead: 'its own …',
  },
  { pattern: /\bas (?:it is|they are|it was|they were)(?=[.,;:)]|$)/gi, instead: 'unchanged' },
  { pattern: /\b(?:says?|said) so\b/gi, instead: 'reports it' },
  {
    pattern: /\bhow it stands\b|\bstands? (?:in for|ready)\b|\bin (?:its|their|the) stead\b/gi,
    instead: 'is in, replaces',
  },
  { pattern: /\bnothing else than\b|\bnobody else than\b|\bother than that\b/gi, instead: 'only' },
  { pattern: /\bmoving pictures?\b/gi, instead: 'video, animated image' },
  { pattern: /\bno longer there\b|\bnot there (?:any more|yet)\b/gi, instead: 'deleted, missing' },
  { pattern: /\bhas it any more\b|\bor has (?:it )?no longer\b/gi, instead: 'expired' },

  {
    pattern:
      /(?<!with )(?<!sorts )\bthe (?:newest|oldest|latest|largest|smallest|longest|shortest|best) first(?=[.,;:)]|$| and\b)/gi,
    instead: 'newest first',
  },
  {
    pattern: /\b(?:a|each|every|one) content(?:'s)?(?=[.,;:)]|$| (?:of|as|at|with|when|is|has|from|into|in|per)\b)/gi,
    instead: 'a content item',
  },
  {
    pattern: /\ban? (?:error|page|setting|version|request|message) of the (?:service|site|client|platform)\b/gi,
    instead: 'a service error, a site page',
  },
  { pattern: /\bErrors as\b/g, instead: 'Throws the same errors as' },
  { pattern: /\bMilliseconds for (?:the|a)\b/g, instead: 'Time limit for … in milliseconds' },
  { pattern: /\bgarbage of\b/gi, instead: 'garbage from' },
  {
    pattern: /\b(?:deleted|removed|closed|stopped) with the (?:command|process|job|test|node|service|worker)\b/gi,
    instead: 'when the … ends',
  },
  {
    pattern: /\bcounts? for the (?:visitor|client|address|caller|account|key|job|limit)\b/gi,
    instead: 'counts towards',
  },
  { pattern: /\beach (?:third|fourth|fifth|tenth) (?!of\b)\w+/gi, instead: 'every third …' },
  { pattern: /\b(?:has|have|had) as (?:many|much)(?=[.,;:)]|$)/gi, instead: 'that many' },
  { pattern: /\bin the form of an?\b/gi, instead: 'as' },

  { pattern: /\b(?:census|outspoken|manners)\b/gi, instead: 'job counts; say what it is; source policy' },
  { pattern: /(?<!single-|in )\bflights?\b/gi, instead: 'single-flight' },
];
