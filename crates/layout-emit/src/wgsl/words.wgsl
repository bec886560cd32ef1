        to_[$to$] = from_[$from$];
