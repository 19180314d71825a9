import type { User } from '../world/users.ts';
import { statsOf, userBasics } from './people.ts';

/** Returns the data of a user's page (`webapp.user-detail`). */
export function userDetail(user: User) {
  const { status = [0, ''] as const, reveals = 'counts' } = user;
  const [statusCode, statusMsg] = status;
  if (reveals === 'nothing') return { statusCode, statusMsg, needFix: false };
  const { rounded, exact } = statsOf(user);
  const counts = { stats: rounded, ...(user.shape === 'old' ? {} : { statsV2: exact }) };
  return {
    userInfo: { user: userMembers(user), ...(reveals === 'counts' ? counts : {}), itemList: [] },
    shareMeta: { title: `${user.nickname} on TikTok`, desc: `@${user.name} ${user.followers} Followers` },
    statusCode,
    statusMsg,
    needFix: user.shape === 'old',
  };
}

function userMembers(user: User) {
  return {
    ...userBasics(user),
    shortId: '',
    createTime: 1_578_872_963,
    ftc: false,
    openFavorite: false,
    bioLink: { link: `lab.example/${user.name}`, risk: 0 },
    commentSetting: 0,
    commerceUserInfo: { commerceUser: true, category: 'Personal Blog', categoryButton: false },
    duetSetting: 0,
    stitchSetting: 0,
    privateAccount: user.status?.[0] === 10_222,
    secret: false,
    roomId: '',
    uniqueIdModifyTime: 0,
    ttSeller: false,
    region: 'US',
    downloadSetting: 0,
    followingVisibility: 1,
    isEmbedBanned: user.box === undefined,
    canExpPlaylist: true,
    profileEmbedPermission: 1,
    language: 'en',
    eventList: [],
    suggestAccountBind: false,
    isOrganization: 0,
  };
}
