-- Credits that visitors of the page have used on a day (UTC). The page limits the share of each visitor.
create table visitor_credits (
  -- A keyed hash of one of the visitor's networks.
  visitor text not null,
  day date not null,
  credits integer not null,
  primary key (visitor, day)
);

create index visitor_credits_of_day on visitor_credits (day);
