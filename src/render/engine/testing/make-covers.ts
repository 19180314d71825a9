import { writeFileSync } from 'node:fs';
import type { MediaDirectory } from './test-media.ts';

/** Small images of all formats, in base64. */
const images: Readonly<Record<string, readonly string[]>> = {
  'cover.png': [
    'iVBORw0KGgoAAAANSUhEUgAAACAAAAAYCAIAAAAUMWhjAAAACXBIWXMAAAABAAAAAQBPJcTWAAAAxUlEQVR4nO3V4REBMRCG4bcDOqADOqADOq',
    'ADOqADOqADOqADOqADOvhcyOQ2ZtydY/ww2dv7k73sk0wyc2BCJrM3ex5pKwqj4qkS0gavANOnEnBfU2Ug7lMVCEYJ4D+qBfjFFQD5NusCigli',
    'QV8B7DZ+CMQ9PwWCkYAEJOAvADfURWO0RHt05SQ2YiYGouXKTdRHU7RGR9f4IFZiInqioTYaojnaorMrX8ROLMRIdBJQDtjIT6nuIfsLUvDLtF',
    'PeBfIbaOIGKiZN61TsiFoAAAAASUVORK5CYII=',
  ],
  'cover.jpg': [
    '/9j/4AAQSkZJRgABAgAAAQABAAD//gAQTGF2YzU5LjM3LjEwMAD/2wBDAAgQEBMQExYWFhYWFhoYGhsbGxoaGhobGxsdHR0iIiIdHR0bGx0dIC',
    'AiIiUmJSMjIiMmJigoKDAwLi44ODpFRVP/xACxAAACAgMBAQAAAAAAAAAAAAAABwYIBAUDAgEBAAIDAQEBAAAAAAAAAAAAAAAGBwQIBQIBEAAB',
    'AwIDAgcKDwEBAAAAAAABAgARBAMSBSFBMTJRcWEiEwaiFcGB0pKC4UNEs8OjwtHThOPiQqFidCNzkTURAAEDAgMCBwwJBQEAAAAAAAEAAgMEET',
    'EhBRMGQUODEmHSgYLiwsOjkcFRROMWQtFx0yIUMvCioSNyUpJjNP/AABEIADAAQAMBEgACEgADEgD/2gAMAwEAAhEDEQA/AK/vcZfRrzCqs0yN',
    'DdVE6dFI1UqCUzhSCYmTEBiEITWoqI1Bxr0tju+Yc3GfEGwEITbSEpEAbg6FJSGY852TB+7oHR6z5k7MY1jQ1osBgE17w7wt0xpp6ch1U4dBEA',
    'PzOGBeRm1p/udlYHMFRUS1Ur5pnmSR5u5xxPoAAyAGQGQyS8JKjJ1L8tliiZAxscbQ1rRYAfrH1k5kqwtqwwx00bYomhjGCzWjg9JJxJOZOZVp',
    'LNja0LP6FcVjwAhNSEst7+tva4tIc0kEG4INiCMCD614UBNc5jg5pLXNIIINiCMCCMwQvCwaKv6w9XdPSPBVoMXMY0B4uPlcFBIIIMEagjY5bp',
    'K3aHmSH73yuwv0Hgv6vX9aTgSDcZEcKlfeHdgUjTVUTTsWj+rFcuMduMaSS5zOF1yS3H8uGj3sbI1zXNDmuBa5rgCHA5EEHIgjEK2Lh+RZj3zo',
    'Ld4mbif67v8AokCTwUjpAhcJEDFGxtSFAiEjOxaEqzK4SkEpp1qSSASk47aZHEYJEjYSH07Ff+je/ir+FtMQhCabG1oWf0JasbShbrQlmxtaFn',
    '9CuKx4AQmpCWbG2IWf0JasbShbqQpv2GWoprU4jhBsKCZMAq6wEgbpISJO2A/HYX3/AOz/ABra0KAEKNZLQqpauzUpugm2T0SgwQpJSoSF6GCY',
    'OsHYXE7OdVNjgosnlCvAsNck1DZ8Xfuu9Vh9BFJiX9hHVTdNpWy42/cW8JVJNTmlxbH2B3WVkup6OKf09bhdNnKlnBeCEg7lAEQf3So6c+x1fi',
    'TO34byvu1y4NOpXPtK+Vt8CHNsD03YcungUQzaBsfaL8nbxhUza1pdQ2nMtGNq5ly+J4u5zf8Anzeb94f42JdwZ5HiuhwHhz6PrfBdZcUdUpHi',
    'P0t2ZvPz/Zbct7pdOPd2isHNlncCAQQ+Mgg4EER5hcGbevZH/wAl+Wt4pdR27VBUAPEs5DgCC18ZBBwIOzNwVoRkE+8fJ/ePXDPakfks+avy21',
    'wa/tvZ7cpfxYXRi0KmhwfN2uZ1FDB1a3E/v71XDpcB+aTzt6qcNRm3UeyxenHzS8y9ldi/wlXByFPhSXC8e6W09rtyPvVxmb1V0eEdN2tk+1XW',
    'h1ra8TblL+Ar8ej08WDpe0t6iUnffpYep7v8Dze9VjFOK7/1PkuRfhLK/wCL8j71cb4qrrW2dN/rJ9qlqHSdtx1u4v4QVOLVJ4sGx9od1lokIx',
    'jfDlFFQKUkm7iQNwG5XKZ3DxatgfoPM9ovyffrpw1tVMCZWRsHAA1wd9Zu42C1fDVbUflt239Ch3Vd44dPc2GgMdQ4ZvkcefEARk1pjLec7hJB',
    's3DM3t1yjME5NSmwLRvFVxVxSjcCRJAGicBgQkbydZPM2CezlIfaX/OR9W1qdux6f4+lfJXGbH+P0U6jRL8f5Pv1QGs1A+SLzO66/9k=',
  ],
  'cover.webp': [
    'UklGRkwBAABXRUJQVlA4IEABAACQCACdASogABgAPzmAuFOvJ6Uit/VYAeAnCWwAnTKEcDe18OY4Hzecs2/y+QB/AN3P3Sn/YewBvMdZVAeBMi',
    '9hY43K/p2hU7XTSkK4AAD+6/rDdqmYF1pAc/6q5jX5R6AMC3Jd8U8xbn+vrWQai3j3a6eN++2Jn7zZdIIToj4/2vo3eYGC1myTnGmDebLKL/KR',
    'XIJVFNBcqPN9llTItS6Mav9P+cncffj2sAH9QHqJzx+lN/I/Sl5NawV3Zcj/zz7UOwL9u1jQYLprXhItGHqqYuTfYGR3FNj/7d7W0Swpba/cTo',
    'lsF+4lAqtdJ9+yrHx6o6GfUa8MFYtjUnYmzeSn/21zTB1g4o6qsJ57kJp7reuK+BfoCky3wk7svdZB/CD3ATRP72ifec/2QOVbh/rbjKv2BGRX',
    'o+N/9f/sAAAAAA==',
  ],
  'transparent.webp': ['UklGRhwAAABXRUJQVlA4TA8AAAAvH8AFEAcQ/Y/+BSKi/wEA'],
  'one-pixel.png': [
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAAAAAAAAQCEeRdzAAAADElEQVR4nGMor60BAALfAXE0hrMYAAAAAE',
    'lFTkSuQmCC',
  ],
};

/** Writes `cover.png`, `cover.jpg`, `cover.webp`, `transparent.webp` and `one-pixel.png` into a directory. */
export function makeCovers(media: MediaDirectory): void {
  for (const [name, lines] of Object.entries(images)) {
    writeFileSync(media.file(name), Buffer.from(lines.join(''), 'base64'));
  }
}
