            let turned = t / 8u % 4u;
            let words = rotated(vector, turned);
            tile[place / $each$u + turned] = words.x;
            tile[place / $each$u + (turned + 1u) % 4u] = words.y;
            tile[place / $each$u + (turned + 2u) % 4u] = words.z;
            tile[place / $each$u + (turned + 3u) % 4u] = words.w;
